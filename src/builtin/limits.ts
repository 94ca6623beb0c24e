import { maxMediaBytes } from '../media.ts'

/** The numbers that models are trained on, in one place. */
export const limits = {
  /** Of one tool result. */
  lines: 2_000,
  bytes: 50 * 1024,
  /** Characters of one line. */
  line: 2_000,
  /** Files above it are read in ranges only, and not edited. */
  fileBytes: 20 * 1024 * 1024,
  /** Of one side of an image. */
  imagePixels: 2_000,
  bashSeconds: 120,
  bashMaxSeconds: 600,
  /** A command that is to go to the background is watched for so long, so that one that fails at once is seen. */
  backgroundSeconds: 1,
  /** How long `process wait` waits where it is not told. */
  waitSeconds: 30,
  /** All that one command may write to disk as its output. */
  spillBytes: 1024 * 1024 * 1024,
  searchMs: 30_000,
  searchResults: 100,
  /** Characters of one line that grep shows. */
  searchLine: 500,
  searchContext: 20,
  fetchMs: 30_000,
  /** Of a page, unpacked. */
  fetchBytes: 5 * 1024 * 1024,
  redirects: 5,
  /** Characters of a page's markup that are made Markdown of. */
  markup: 500_000,
  /** A diff above it is not kept. */
  diffBytes: 64 * 1024,
} as const

/** How texts for the model name them. */
export const limitTexts = {
  fileBytes: megabytes(limits.fileBytes),
  imagePixels: `${limits.imagePixels}x${limits.imagePixels}`,
  mediaBytes: megabytes(maxMediaBytes),
  searchTime: seconds(limits.searchMs),
  fetchTime: seconds(limits.fetchMs),
  fetchBytes: megabytes(limits.fetchBytes),
} as const

function megabytes(bytes: number): string {
  return `${bytes / (1024 * 1024)} MB`
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`
}
