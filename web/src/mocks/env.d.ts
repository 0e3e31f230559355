interface ImportMetaEnv {
  /**
   * '1' at build time makes the mock endpoints of the template answer instead of the server
   * (requirements §8). With any other value the build contains no mocks.
   */
  readonly VITE_DEBUG_MOCKS?: string;
}
