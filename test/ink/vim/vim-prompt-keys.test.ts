import { describe, expect, it } from 'vitest'
import { sit } from '../at-keyboard.ts'
import { openConversation } from '../scripted-conversation.ts'
import { keysOf } from './after-keys.ts'

/** Opens an idle conversation with vim keys. */
function open() {
  const opened = openConversation()
  const { controller, store } = opened
  store.dispatch({ type: 'editor', isVim: true })
  const prompt = () => store.screen.prompt
  return {
    ...opened,
    type: (keys: string) => {
      for (const key of keysOf(keys)) controller.key(key)
    },
    mode: () => prompt().vim?.mode,
    draft: () => prompt().text,
  }
}

describe('Esc with vim keys', () => {
  it('leaves the insert mode, and goes back to an earlier message only when pressed twice more', () => {
    const { type, store, mode } = open()
    type('<Esc>')
    expect([mode(), store.screen.escapedAt]).toEqual(['normal', undefined])
    type('<Esc>')
    expect(store.screen.escapedAt).toBeDefined()
  })

  it('closes a list first, and stays in the insert mode', async () => {
    const { type, store, mode } = open()
    type('/he')
    await expect.poll(() => store.screen.completion?.items.length).toBeGreaterThan(0)
    type('<Esc>')
    expect([mode(), store.screen.completion]).toEqual(['insert', undefined])
    type('<Esc>')
    expect(mode()).toBe('normal')
  })

  it('stops a turn in the normal mode only, where no command is begun', () => {
    const { type, isBusy } = sit({ isVim: true })
    type('ab<esc>')
    expect(isBusy()).toBe(true)
    type('d<esc>v<esc>')
    expect(isBusy()).toBe(true)
    type('<esc>')
    expect(isBusy()).toBe(false)
  })
})

describe('keys in the normal mode', () => {
  it('send with Enter, and a new prompt is in the insert mode', () => {
    const { type, queued, draft } = sit({ isVim: true })
    type('hi<esc><enter>xi')
    expect([queued(), draft()]).toEqual([['hi'], 'xi'])
  })

  it('search earlier messages with /, and redo with Ctrl+R', () => {
    const { type, store, draft } = open()
    type('ab<Esc>x')
    expect(draft()).toBe('a')
    type('u<C-R>')
    expect(draft()).toBe('a')
    type('/')
    expect(store.screen.search).toBeDefined()
  })

  it('show the help with ? and begin a command of the shell with ! at an empty prompt', () => {
    const { type, store, draft, mode } = open()
    type('<Esc>?')
    expect(store.screen.showsKeys).toBe(true)
    type('!ls')
    expect([draft(), mode()]).toEqual(['!ls', 'insert'])
    type('<Esc>0x')
    expect(draft()).toBe('!s')
  })

  it('take a waiting message back with k in the first row', () => {
    const { type, draft, queued } = sit({ isVim: true })
    type('later<enter>')
    expect([queued(), draft()]).toEqual([['later'], ''])
    type('<esc>k')
    expect(draft()).toBe('later')
  })

  it('open no list over a command word', async () => {
    const { type, store } = open()
    type('/he')
    await expect.poll(() => store.screen.completion).toBeDefined()
    type('<Esc><Esc>b')
    expect(store.screen.completion).toBeUndefined()
  })
})

it('goes back to the usual keys', () => {
  const { type, store, draft } = open()
  type('ab<Esc>')
  store.dispatch({ type: 'editor', isVim: false })
  type('dd')
  expect([draft(), store.screen.prompt.vim]).toEqual(['addb', undefined])
})
