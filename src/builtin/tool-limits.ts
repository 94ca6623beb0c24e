import { maxImagePixels, maxMediaBytes } from '../media/media-limits.ts'

/** Limits that models are trained on, in one place. */
export const limits = {
  /** Lines and bytes of one tool result. */
  lines: 2_000,
  bytes: 50 * 1024,
  /** Characters of one line. */
  line: 2_000,
  /** Larger files are read only in ranges, and not edited. */
  fileBytes: 20 * 1024 * 1024,
  /** Pixels per side of an image. */
  imagePixels: maxImagePixels,
  bashSeconds: 120,
  bashMaxSeconds: 600,
  /** How long a background command is watched first, so that one that fails at once is noticed. */
  backgroundSeconds: 1,
  /** Default timeout of `process wait`. */
  waitSeconds: 30,
  /** The most output of one command saved to disk. */
  spillBytes: 1024 * 1024 * 1024,
  searchMs: 30_000,
  /** Only this much of a file or a line is searched. */
  searchBytes: 64 * 1024 * 1024,
  searchResults: 100,
  /** Characters of one line that grep shows. */
  searchLine: 500,
  searchContext: 20,
  /** Earlier conversations that recall shows. */
  recalled: 8,
  fetchMs: 30_000,
  /** Bytes of a page, uncompressed. */
  fetchBytes: 5 * 1024 * 1024,
  redirects: 5,
  /** Characters of markup converted to Markdown. */
  markup: 500_000,
  /** Larger diffs are dropped. */
  diffBytes: 64 * 1024,
} as const

/** The limits as texts for the model show them. */
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
