interface ImportMetaEnv {
  /** '1' at build time puts the template's mock endpoints in front of the server (requirements §8); anything else leaves no trace of them. */
  readonly VITE_DEBUG_MOCKS?: string;
}
