import { describe, expect, it } from 'vitest'
import { KeptDraft } from '../../../src/ink/prompt/kept-draft.ts'
import { Store } from '../../../src/ink/store.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { emptyScreen } from '../conversation.ts'

/** A screen to type into, and the drafts that were kept of it. */
async function open() {
  const clock = createHandClock()
  const store = new Store(emptyScreen(), clock)
  const kept: (string | undefined)[] = []
  const pastPrompts = {
    load: async () => [],
    add: async () => undefined,
    keepDraft: async (draft: { readonly text: string } | undefined) => void kept.push(draft?.text),
    takeDraft: async () => undefined,
  }
  const draft = new KeptDraft({ store, clock, pastPrompts })
  await draft.open()
  const type = (text: string) => {
    for (const key of text) {
      const { prompt } = store.screen
      store.dispatch({ type: 'edited', at: clock.now(), prompt: { ...prompt, text: prompt.text + key } })
      store.show()
      clock.advance(100)
    }
  }
  return { clock, kept, draft, type }
}

describe('a draft is kept', () => {
  it('half a second after the last key, not between keys', async () => {
    const { clock, kept, type } = await open()
    type('hello')
    expect(kept).toEqual([])
    clock.advance(400)
    await Promise.resolve()
    expect(kept).toEqual(['hello'])
  })

  it('every three seconds while keys go on', async () => {
    const { kept, draft, type } = await open()
    type('x'.repeat(65))
    await draft.close()
    expect(kept.map((text) => text?.length)).toEqual([30, 60, 65])
  })

  it('at the end', async () => {
    const { kept, draft, type } = await open()
    type('bye')
    await draft.close()
    expect(kept).toEqual(['bye'])
  })
})
