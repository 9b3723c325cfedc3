export default {
  compilerOptions: {
    runes: true,
    // Class names from the file's place in the project and its styles, never from an absolute path.
    cssHash: ({ hash, css }) => `k-${hash(css)}`,
  },
};
