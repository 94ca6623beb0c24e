import { describe, expect, it } from 'vitest'
import { attachPart, mentionedParts } from '../../../../src/cli/run/message/mentioned-part.ts'
import { folderWith } from '../../../support/folders/folder.ts'
import { thrown } from '../../../support/thrown.ts'

const plan = '# Plan\n\n## Goals\r\nfast\r\n\n## Steps\nrun\n'

async function attach(prompt: string, files: Readonly<Record<string, string>>) {
  const folder = await folderWith(files)
  return mentionedParts(prompt, folder).map((part) => attachPart(part, folder))
}

const file = (path: string, lines: string, ...rows: readonly string[]) => ({
  type: 'text',
  text: [`<file path="${path}" lines="${lines}">`, ...rows, '</file>'].join('\n'),
})

describe('a mentioned part of a file', () => {
  it('is a range of lines, with their numbers', async () => {
    const files = { 'src/a.ts': 'one\ntwo\nthree\nfour\n' }
    const rest = '[lines 2-3 of 4; use offset=4 to continue]'
    for (const mention of ['@src/a.ts:2-3', '@"src/a.ts:2-3"', '(see:\n@src/a.ts#L2-L3).'])
      expect(await attach(`why ${mention}?`, files)).toEqual([
        file('src/a.ts', '2-3', '2\ttwo', '3\tthree', rest),
      ])
    expect(await attach('@src/a.ts:4', files)).toEqual([file('src/a.ts', '4-4', '4\tfour')])
    expect(await attach('@src/a.ts:3-99', files)).toEqual([file('src/a.ts', '3-4', '3\tthree', '4\tfour')])
  })

  it('is the section under a heading', async () => {
    const rest = '[lines 3-5 of 7; use offset=6 to continue]'
    expect(await attach('@plan.md#goals and @plan.md#steps', { 'plan.md': plan })).toEqual([
      file('plan.md', '3-5', '3\t## Goals', '4\tfast', '5\t', rest),
      file('plan.md', '6-7', '6\t## Steps', '7\trun'),
    ])
  })

  it('is none where a file has that name, there is no such file, or it is an asset or a source', async () => {
    const files = { 'a.ts': 'x', 'a.ts:1-2': 'y', 'b#c': 'z' }
    const prompt = '@a.ts:1-2 @b#c @d.ts:1-2 @a.ts @a.ts:2-1 @asset:a @cite:b me@a.ts:1'
    expect(await attach(prompt, files)).toEqual([])
  })

  it.each([
    ['@a.ts:4-9', 'cannot attach a.ts:4-9: a.ts has 3 lines'],
    ['@one:2', 'cannot attach one:2: one has 1 line'],
    ['@empty#x', 'cannot attach empty#x: there is no heading "x"; it has none'],
    ['@plan.md#goal', 'cannot attach plan.md#goal: there is no heading "goal"; it has Plan, Goals, Steps'],
    ['@a.png:1', 'cannot attach a part of a.png: it is not text'],
  ])('that does not exist is named: %s', async (prompt, message) => {
    const files = { 'a.ts': '1\n2\n3\n', one: '1', empty: '', 'plan.md': plan }
    const folder = await folderWith({ ...files, 'a.png': Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') })
    const [part] = mentionedParts(prompt, folder)
    expect(await thrown(() => part && attachPart(part, folder))).toMatchObject({ code: 'input', message })
  })
})
