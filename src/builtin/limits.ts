/** The numbers that models are trained on, in one place. */
export const limits = {
  /** Of one tool result. */
  lines: 2_000,
  bytes: 50 * 1024,
  /** Characters of one line. */
  line: 2_000,
  /** Files above it are read in ranges only, and not edited. */
  fileBytes: 20 * 1024 * 1024,
  bashSeconds: 120,
  bashMaxSeconds: 600,
  /** All that one command may write to disk as its output. */
  spillBytes: 1024 * 1024 * 1024,
  searchMs: 30_000,
  searchResults: 100,
  /** Characters of one line that grep shows. */
  searchLine: 500,
  searchContext: 20,
  /** A diff above it is not kept. */
  diffBytes: 64 * 1024,
} as const
