import { readdir, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PromptDrafts } from '../../../src/json/prompts/prompt-drafts.ts'
import { createRedactor } from '../../../src/redaction/redaction.ts'
import { folderWith } from '../../support/folders/folder.ts'

const plain = (text: string) => ({ text, pastes: [] })
/** Names of files that a process left which is dead, or of another boot. */
const dead = '999999999-1-draft.json'
const foreign = '1-1-00000000-1-draft.json'

/** Drafts at 100 s after 1970: a file that was written just now is younger than any limit. */
async function openDrafts() {
  const folder = join(await folderWith(), 'one.drafts')
  const redact = async () => createRedactor(['sesame-open-1'])
  const drafts = new PromptDrafts({ folder, redact, now: () => 100_000 })
  return { folder, drafts }
}

describe('the draft of a process', () => {
  it('is kept for its owner only and without secrets, until there is none', async () => {
    const { folder, drafts } = await openDrafts()
    await drafts.keepDraft(plain('use sesame-open-1'))
    const [name = ''] = await readdir(folder)
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    expect(await drafts.takeDraft()).toBeUndefined()
    await rename(join(folder, name), join(folder, dead))
    expect(await drafts.takeDraft()).toEqual(plain('use [redacted]'))
    await drafts.keepDraft(undefined)
    expect(await readdir(folder)).toEqual([])
  })

  it('is taken over once it was left, the newest first, and only once', async () => {
    const { folder, drafts } = await openDrafts()
    await drafts.keepDraft(plain('mine'))
    await writeFile(join(folder, dead), '{"text":"old"}')
    await utimes(join(folder, dead), 1, 1)
    await writeFile(join(folder, `999999998-1-draft.json`), '{"text":"new"}')
    // It may still be written.
    await writeFile(join(folder, foreign), '{"text":"elsewhere"}')
    expect(await drafts.takeDraft()).toEqual(plain('new'))
    expect(await drafts.takeDraft()).toEqual(plain('old'))
    expect(await drafts.takeDraft()).toBeUndefined()
    await utimes(join(folder, foreign), 2, 2)
    expect(await drafts.takeDraft()).toEqual(plain('elsewhere'))
  })

  it('is none where it is damaged, or nothing was kept', async () => {
    const { folder, drafts } = await openDrafts()
    expect(await drafts.takeDraft()).toBeUndefined()
    await drafts.keepDraft(plain('mine'))
    await writeFile(join(folder, dead), '{"text":')
    expect(await drafts.takeDraft()).toBeUndefined()
  })
})
