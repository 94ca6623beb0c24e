import { relative, resolve } from 'node:path'
import { limitTexts } from '../../../builtin/tool-limits.ts'
import { PipeError } from '../../../error.ts'
import { lookThrough } from '../../../files/look.ts'
import type { ImageFile } from '../../../frontend/conversation-view.ts'
import { maxMediaBytes } from '../../../media/media-limits.ts'
import { mediaType } from '../../../media/media-type.ts'
import { readBytes, readHead, requireShown } from './attachment.ts'
import { refusedFault } from './refused-attachments.ts'

export interface ImageChecks {
  readonly cwd: string
  readonly home: string
  /** Whether the rules allow the model to see a file. */
  readonly mayRead: (path: string) => boolean
  /** Returns the name of the model if it is known to take no images. */
  readonly blindModel: () => string | undefined
}

/**
 * Returns an image that a message can attach, with the path by which it names it; `undefined` if the path leads to no image. Throws
 * `input` for one that models refuse, and `permission` for one that the model must not see.
 */
export function openImage(
  path: string,
  { cwd, home, mayRead, blindModel }: ImageChecks,
): ImageFile | undefined {
  const full = resolve(
    cwd,
    path.replace(/^~(?=\/)/, () => home),
  )
  const stat = lookThrough(full)
  if (stat?.isFile() !== true) return undefined
  const name = nameIn(cwd, full)
  const refuse = (why: string) => new PipeError('input', `${name} is not attached: ${why}`)
  requireShown(full, name, mayRead)
  const mimeType = mediaType(readHead(full, name))
  if (mimeType === undefined || !mimeType.startsWith('image/')) return undefined
  const blind = blindModel()
  if (blind !== undefined) throw refuse(`${blind} takes no images`)
  if (stat.size > maxMediaBytes) throw refuse(`it has more than ${limitTexts.mediaBytes}`)
  const fault = refusedFault(mimeType, readBytes(full, name))
  if (fault !== undefined) throw refuse(fault)
  return { path: name, size: stat.size }
}

/** Returns a path as people name it from a folder. */
function nameIn(cwd: string, full: string): string {
  const name = relative(cwd, full)
  return name.startsWith('..') ? full : name
}
