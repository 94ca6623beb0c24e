import { resolve } from 'node:path'
import { mediaType } from '../../../media/media-type.ts'
import { mentionedFiles, missingFiles, readHead } from './attachment.ts'

/** Missing files that are named. */
const mostNamed = 3

/**
 * Returns why the user should look at a text once more before it is sent: a file that it mentions is missing, or the model takes no images.
 * `undefined` if nothing speaks against it.
 */
export function objectionTo(
  text: string,
  {
    cwd,
    home,
    blindModel,
  }: { readonly cwd: string; readonly home: string; readonly blindModel: () => string | undefined },
): string | undefined {
  const missing = missingFiles(text, cwd, home).slice(0, mostNamed)
  const again = 'Enter sends it as it is'
  if (missing.length > 0) {
    const noun = missing.length === 1 ? 'there is no file' : 'there are no files'
    return `${noun} ${missing.join(', ')}; ${again}`
  }
  const blind = blindModel()
  const image =
    blind === undefined ? undefined : mentionedFiles(text, cwd, home).find((path) => isImage(path, cwd))
  return image === undefined ? undefined : `${blind} takes no images, so ${image} would be left out; ${again}`
}

function isImage(path: string, cwd: string): boolean {
  return mediaType(readHead(resolve(cwd, path), path))?.startsWith('image/') === true
}
