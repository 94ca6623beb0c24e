/** A file that goes with a message. */
export interface PageFile {
  readonly name: string
  /** In bytes, as it is sent. */
  readonly size: number
  /** Base64. */
  readonly data: string
  /** A small picture of an image, as a data URL. */
  readonly picture?: string
}

/** Bytes that the files of a message may have together: a request holds 16 MiB, and base64 takes a third more. */
export const mostBytes = 11 * 1024 * 1024

/** Formats that the file picker offers. A phone offers its camera for images. */
export const acceptedFiles =
  'image/*,application/pdf,text/*,.md,.json,.jsonl,.csv,.log,.diff,.patch,.yaml,.yml,.toml,.xml,.sql,' +
  '.ts,.tsx,.js,.jsx,.mjs,.cjs,.py,.go,.rs,.c,.h,.cc,.cpp,.hpp,.java,.kt,.swift,.rb,.php,.cs,.sh'
