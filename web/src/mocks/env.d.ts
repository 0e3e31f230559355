interface ImportMetaEnv {
  /**
   * '1' at build time puts the template's mock endpoints in front of the server (requirements §8);
   * any other value removes them from the build.
   */
  readonly VITE_DEBUG_MOCKS?: string;
}
