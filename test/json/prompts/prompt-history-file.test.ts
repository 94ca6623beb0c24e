import { appendFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PromptHistoryFile } from '../../../src/json/prompts/prompt-history-file.ts'
import { createRedactor } from '../../../src/redaction/redaction.ts'
import { folderWith } from '../../support/folders/folder.ts'

const plain = (text: string) => ({ text, pastes: [] })

async function openHistory() {
  const path = join(await folderWith(), 'history', 'one.jsonl')
  return { path, history: new PromptHistoryFile(path, async () => createRedactor(['sesame-open-1'])) }
}

describe('the messages of a folder', () => {
  it('come back with their pastes, for their owner only and without secrets', async () => {
    const { path, history } = await openHistory()
    expect(await history.load()).toEqual([])
    const pasted = {
      text: 'see [pasted 9 lines]',
      pastes: [{ placeholder: '[pasted 9 lines]', text: 'a\nb' }],
    }
    await history.add(plain('use sesame-open-1'))
    await history.add(pasted)
    expect(await new PromptHistoryFile(path, async () => (text) => text).load()).toEqual([
      plain('use [redacted]'),
      pasted,
    ])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('say where a paste was too long to be kept', async () => {
    const { history } = await openHistory()
    const placeholder = '[pasted 9 lines]'
    await history.add({ text: `see ${placeholder}`, pastes: [{ placeholder, text: 'x'.repeat(200_000) }] })
    expect(await history.load()).toEqual([plain('see [pasted 9 lines, not kept]')])
  })

  it('are the newest ones, and survive a damaged line', async () => {
    const { path, history } = await openHistory()
    await history.add(plain('first'))
    const lines = Array.from({ length: 1_200 }, (_, i) => `${JSON.stringify({ text: `message ${i}` })}\n`)
    await appendFile(path, `{"text": "torn\n${lines.join('')}`)
    const loaded = await history.load()
    expect([loaded.length, loaded[0], loaded.at(-1)]).toEqual([
      750,
      plain('message 450'),
      plain('message 1199'),
    ])
    await history.add(plain('last'))
    expect((await history.load()).length).toBe(751)
    expect((await readFile(path, 'utf8')).endsWith('{"text":"last"}\n')).toBe(true)
  })
})
