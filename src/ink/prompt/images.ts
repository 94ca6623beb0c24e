import { hasCode, isPipeError, PipeError } from '../../error.ts'
import type { FrontendApi } from '../../frontend/conversation-view.ts'
import { printable } from '../../terminal/printable.ts'
import type { Clipboard } from '../clipboard-copy.ts'
import { pastedText } from '../tty/keys.ts'
import { droppedImages, looksLikeImage } from './dropped.ts'
import { insertImage, type Place } from './image-placeholder.ts'
import { type Prompt, paste } from './prompt.ts'

export interface ImagesOptions {
  readonly api: Pick<FrontendApi, 'image' | 'clipboardImage' | 'keepImage'>
  /** Default: the terminal is not asked. */
  readonly clipboard?: Pick<Clipboard, 'read'> | undefined
  /** Tells the user why an image is not attached. */
  readonly showError: (text: string) => void
}

/** Puts images into the draft, as placeholders. */
export class Images {
  readonly #options: ImagesOptions

  constructor(options: ImagesOptions) {
    this.#options = options
  }

  /** Returns the draft with the images that a pasted text names; `undefined` if it names anything else. */
  paste(prompt: Prompt, text: string): Prompt | undefined {
    const paths = droppedImages(text)
    return paths?.reduce<Prompt | undefined>(
      (now, path) => now && this.attach(now, path, { start: now.cursor, end: now.cursor }),
      prompt,
    )
  }

  /**
   * Returns the draft with the image on the clipboard at its cursor, or else with what the terminal gives; `undefined` if it cannot be
   * sent. Throws `input` if there is nothing, and `tool`.
   */
  async fromClipboard(draft: () => Prompt): Promise<Prompt | undefined> {
    const { clipboard } = this.#options
    try {
      return await this.#fromMachine(draft)
    } catch (error) {
      if (!hasCode(error, 'input') || clipboard?.read === undefined) throw error
      const bytes = await clipboard.read()
      if (bytes === undefined) throw new PipeError('input', `${error.message}; ${refused}`)
      return this.#fromTerminal(bytes, draft)
    }
  }

  async #fromTerminal(bytes: Uint8Array, draft: () => Prompt): Promise<Prompt | undefined> {
    const path = await this.#options.api.keepImage?.(bytes)
    const prompt = draft()
    if (path !== undefined) return this.attach(prompt, path, { start: prompt.cursor, end: prompt.cursor })
    const text = pastedText(utf8Of(bytes))
    return this.paste(prompt, text) ?? paste(prompt, text)
  }

  async #fromMachine(draft: () => Prompt): Promise<Prompt | undefined> {
    const { api } = this.#options
    if (api.clipboardImage === undefined)
      throw new PipeError(
        'input',
        'a server runs this conversation, so images of your clipboard do not reach it',
      )
    const path = await api.clipboardImage()
    const prompt = draft()
    return this.attach(prompt, path, { start: prompt.cursor, end: prompt.cursor })
  }

  /** Returns the draft with an image in the place of a part of it; `undefined` if the path leads to no image that can be sent. */
  attach(prompt: Prompt, path: string, place: Place): Prompt | undefined {
    if (!looksLikeImage(path)) return undefined
    try {
      const image = this.#options.api.image?.(path)
      return image && insertImage(prompt, image, place)
    } catch (error) {
      if (!isPipeError(error)) throw error
      this.#options.showError(printable(error.message))
      return undefined
    }
  }
}

const refused = 'the terminal did not give its clipboard either: many refuse, or ask you first'

/** Throws `input` for bytes that are no text. */
function utf8Of(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new PipeError(
      'input',
      "the terminal's clipboard holds neither text nor an image that pipe can read",
    )
  }
}
