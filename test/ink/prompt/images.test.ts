import { describe, expect, it } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import type { FrontendApi } from '../../../src/frontend/conversation-view.ts'
import type { Key } from '../../../src/ink/tty/key.ts'
import { text, user } from '../../support/messages/messages.ts'
import { openConversation } from '../scripted-conversation.ts'

const press = (name: string): Key => ({ type: 'press', name })

/** Opens a conversation whose folder has some images. Collects what is sent. */
function open(api: Partial<FrontendApi> = {}) {
  const sent: string[] = []
  const sizes: Readonly<Record<string, number>> = { '/shots/a b.png': 48_000, '/shots/c.png': 1_200_000 }
  const opened = openConversation({
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
