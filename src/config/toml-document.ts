import { parse, TomlError } from 'smol-toml'

/** Parses a TOML document. Throws an `Error` whose message is the position and the fault, without a line of the document. */
export function parseToml(text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n')
    throw new Error(`${error.line}:${error.column}: not valid TOML: ${reason}`, { cause: error })
  }
}
