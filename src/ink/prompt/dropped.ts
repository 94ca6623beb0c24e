/** A longer paste is no list of files. */
const longest = 4_000

const imageName = /\.(png|jpe?g|gif|webp)$/i

/** Whether a path has the ending of an image. */
export function looksLikeImage(path: string): boolean {
  return imageName.test(path)
}

/**
 * Reads the paths of images that a terminal pastes when they are dropped on it: absolute, quoted or with escaped characters, or as
 * `file://` addresses. Returns `undefined` for any other text.
 */
export function droppedImages(text: string): readonly string[] | undefined {
  const trimmed = text.trim()
  if (trimmed.length > longest || trimmed.includes('\n')) return undefined
  const words = splitWords(trimmed)
  const paths = words?.map(pathOf)
  if (paths === undefined || paths.length === 0) return undefined
  const images = paths.filter((path) => path !== undefined && looksLikeImage(path))
  return images.length === paths.length ? images.filter((path) => path !== undefined) : undefined
}

/** Splits a text as a shell would; `undefined` if a quote stays open. */
function splitWords(text: string): readonly string[] | undefined {
  const word = /\s*((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+)/y
  const words: string[] = []
  for (let at = 0; at < text.length; at = word.lastIndex) {
    const [, found] = word.exec(text) ?? []
    if (found === undefined) return undefined
    words.push(found.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g, unquoted))
  }
  return words
}

function unquoted(
  _: string,
  double: string | undefined,
  single: string | undefined,
  escaped: string,
): string {
  return double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? escaped
}

/** Returns the absolute path that a word is; `undefined` if it is none. */
function pathOf(word: string): string | undefined {
  if (/^(\/|~\/)/.test(word)) return word
  const [, encoded] = /^file:\/\/(?:localhost)?(\/[^?#]*)$/.exec(word) ?? []
  if (encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
