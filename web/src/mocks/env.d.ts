interface ImportMetaEnv {
  /**
   * If it is '1' in a build, the mock endpoints answer instead of the server (requirements §8).
   * With any other value the build contains no mocks.
   */
  readonly VITE_DEBUG_MOCKS?: string;
}
