import { isPipeError } from '../../error.ts'
import type { FrontendApi } from '../../frontend/conversation-view.ts'
import { printable } from '../../terminal/printable.ts'
import { droppedImages, looksLikeImage } from './dropped.ts'
import { insertImage, type Place } from './image-placeholder.ts'
import type { Prompt } from './prompt.ts'

export interface ImagesOptions {
  readonly api: Pick<FrontendApi, 'image'>
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
