import { describe, expect, it } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import type { FrontendApi } from '../../../src/frontend/conversation-view.ts'
import type { Clipboard } from '../../../src/ink/clipboard-copy.ts'
import type { Key } from '../../../src/ink/tty/key.ts'
import { text, user } from '../../support/messages/messages.ts'
import { openConversation } from '../scripted-conversation.ts'

const press = (name: string): Key => ({ type: 'press', name })

/** Opens a conversation whose folder has some images. Collects what is sent. */
function open(api: Partial<FrontendApi> = {}, clipboard?: Clipboard) {
  const sent: string[] = []
  const sizes: Readonly<Record<string, number>> = { '/shots/a b.png': 48_000, '/shots/c.png': 1_200_000 }
  const opened = openConversation({
    ...(clipboard && { clipboard }),
    api: {
      compose: (words) => {
        sent.push(words)
        return user(text(words))
      },
      image: (path) => {
        if (path.includes('huge'))
          throw new PipeError('input', `${path} is not attached: it has more than 4.5 MB`)
        const size = sizes[path]
        return size === undefined ? undefined : { path, size }
      },
      ...api,
    },
  })
  const { controller, store } = opened
  return {
    ...opened,
    sent,
    paste: (words: string) => controller.key({ type: 'paste', text: words }),
    write: (words: string) => controller.key({ type: 'text', text: words }),
    press: (name: string) => controller.key(press(name)),
    draft: () => store.screen.prompt.text,
  }
}

describe('an image that is dropped on the terminal', () => {
  it('becomes a placeholder in the draft, and is sent as a mention', () => {
    const { write, paste, press, draft, sent } = open()
    write('compare')
    paste("'/shots/a b.png' /shots/c.png ")
    write('please')
    expect(draft()).toBe('compare [image 1 · 48 kB] [image 2 · 1.2 MB] please')
    press('enter')
    expect(sent).toEqual(['compare @"/shots/a b.png" @/shots/c.png please'])
    press('up')
    expect(draft()).toBe('compare [image 1 · 48 kB] [image 2 · 1.2 MB] please')
  })

  it('counts as one character, and keeps its number when it is dropped again', () => {
    const { paste, press, draft } = open()
    paste('/shots/c.png')
    paste('/shots/c.png')
    expect(draft()).toBe('[image 1 · 1.2 MB] [image 1 · 1.2 MB] ')
    for (let i = 0; i < 3; i++) press('backspace')
    expect(draft()).toBe('[image 1 · 1.2 MB]')
    press('backspace')
    expect(draft()).toBe('')
  })

  it('stays a path if it cannot be sent, and the user learns why', async () => {
    const { paste, draft, notes } = open()
    paste('/shots/huge.png')
    expect(draft()).toBe('/shots/huge.png')
    expect(notes()).toEqual(['/shots/huge.png is not attached: it has more than 4.5 MB'])
  })

  it.each(['/shots/none.png', 'see /shots/c.png', '/shots/c.png\nnow'])('is none in %j', (words) => {
    const { paste, draft, notes } = open()
    paste(words)
    expect([draft(), notes()]).toEqual([words, []])
  })

  it('is text where nothing can be attached', () => {
    const opened = openConversation()
    opened.controller.key({ type: 'paste', text: '/shots/c.png' })
    expect(opened.store.screen.prompt.text).toBe('/shots/c.png')
  })
})

describe('an image on the clipboard', () => {
  it('becomes a placeholder at the cursor with Ctrl+V, and is sent as a mention', async () => {
    const { write, press, draft, sent } = open({ clipboardImage: async () => '/shots/c.png' })
    write('see')
    press('ctrl+v')
    await expect.poll(draft).toBe('see [image 1 · 1.2 MB] ')
    press('enter')
    expect(sent).toEqual(['see @/shots/c.png '])
  })

  it('is refused with words, and the draft stays', async () => {
    const { write, press, draft, notes } = open({ clipboardImage: async () => '/shots/huge.png' })
    write('see')
    press('ctrl+v')
    await expect.poll(notes).toEqual(['/shots/huge.png is not attached: it has more than 4.5 MB'])
    expect(draft()).toBe('see')
  })

  it.each([
    [
      { clipboardImage: () => Promise.reject(new PipeError('input', 'no image on the clipboard')) },
      'no image on the clipboard',
    ],
    [{}, 'a server runs this conversation, so images of your clipboard do not reach it'],
  ])('is missing: %#', async (api, told) => {
    const { press, draft, notes } = open(api)
    press('ctrl+v')
    await expect.poll(notes).toEqual([told])
    expect(draft()).toBe('')
  })
})

describe('the clipboard of the terminal', () => {
  const none = () => Promise.reject(new PipeError('input', 'no image on the clipboard'))

  /** Presses Ctrl+V where this machine has no image and the terminal gives these bytes. */
  function pasteFrom(bytes: Uint8Array | undefined, api: Partial<FrontendApi> = {}) {
    const opened = open(
      { clipboardImage: none, keepImage: async () => undefined, ...api },
      { put: () => undefined, doubtOf: () => undefined, read: async () => bytes },
    )
    opened.write('see ')
    opened.press('ctrl+v')
    return opened
  }

  it('gives a text, which is pasted', async () => {
    const { draft } = pasteFrom(new TextEncoder().encode('one\r\ntwo'))
    await expect.poll(draft).toBe('see one\ntwo')
  })

  it('gives the path of an image, or an image', async () => {
    const path = pasteFrom(new TextEncoder().encode('/shots/c.png'))
    await expect.poll(path.draft).toBe('see [image 1 · 1.2 MB] ')
    const image = pasteFrom(Uint8Array.of(0x89), { keepImage: async () => '/shots/c.png' })
    await expect.poll(image.draft).toBe('see [image 1 · 1.2 MB] ')
  })

  it.each([
    [
      undefined,
      'no image on the clipboard; the terminal did not give its clipboard either: many refuse, or ask you first',
    ],
    [
      Uint8Array.of(0xff, 0x00),
      "the terminal's clipboard holds neither text nor an image that pipe can read",
    ],
  ])('gives nothing: %#', async (bytes, told) => {
    const { draft, notes } = pasteFrom(bytes)
    await expect.poll(notes).toEqual([told])
    expect(draft()).toBe('see ')
  })

  it('is not asked where this machine has an image', async () => {
    const { draft } = pasteFrom(new TextEncoder().encode('text'), {
      clipboardImage: async () => '/shots/c.png',
    })
    await expect.poll(draft).toBe('see [image 1 · 1.2 MB] ')
  })
})

describe('a message that names what cannot be sent', () => {
  const objection = (words: string) =>
    words.includes('@gone.ts') ? 'there is no file gone.ts; Enter sends it as it is' : undefined

  it('stays in the prompt with the reason, and Enter sends it after all', async () => {
    const { write, press, draft, sent, notes } = open({ objection })
    write('see @gone.ts')
    press('enter')
    await expect.poll(notes).toEqual(['there is no file gone.ts; Enter sends it as it is'])
    expect([draft(), sent]).toEqual(['see @gone.ts', []])
    press('enter')
    expect([draft(), sent]).toEqual(['', ['see @gone.ts']])
  })

  it('is held back again once it was changed', async () => {
    const { write, press, draft, sent, notes } = open({ objection })
    write('see @gone.ts')
    press('enter')
    write(' now')
    press('enter')
    await expect.poll(() => notes().length).toBe(2)
    expect([draft(), sent]).toEqual(['see @gone.ts now', []])
  })
})
