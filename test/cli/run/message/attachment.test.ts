import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  attachFile,
  describeFile,
  mentionedFiles,
  missingFiles,
  toContent,
} from '../../../../src/cli/run/message/attachment.ts'
import { folderWith } from '../../../support/folders/folder.ts'
import { gif, jpeg, pdf, png, webp } from '../../../support/messages/media.ts'
import { thrown } from '../../../support/thrown.ts'

const bytes = (...values: readonly (number | string)[]) =>
  Buffer.concat(
    values.map((value) => (typeof value === 'string' ? Buffer.from(value) : Buffer.from([value]))),
  )

const riff = (kind: string) => bytes('RIFF', 1, 2, 3, 4, kind, 0)

describe('bytes', () => {
  it.each([
    ['PNG', png(), 'image/png'],
    ['JPEG', jpeg, 'image/jpeg'],
    ['GIF', gif, 'image/gif'],
    ['WebP', webp, 'image/webp'],
  ])('of a %s image become an image, whatever their name', (_, data, mimeType) => {
    expect(toContent(data, 'notes.txt')).toEqual({
      type: 'image',
      mimeType,
      data: data.toString('base64'),
    })
  })

  it('of a PDF become a document with its name', () => {
    expect(toContent(pdf, 'a/b/spec.pdf')).toEqual({
      type: 'document',
      mimeType: 'application/pdf',
      data: pdf.toString('base64'),
      name: 'spec.pdf',
    })
  })

  it.each([
    ['UTF-8', bytes('Grüße, 世界 🌍\n'), 'Grüße, 世界 🌍\n'],
    ['Latin-1', bytes('Gr', 0xfc, 0xdf, 'e'), 'Grüße'],
    ['nothing', bytes(), ''],
    ['text that starts almost like an image', bytes('GIF7 is a name'), 'GIF7 is a name'],
  ])('of %s become text', (_, data, text) => {
    expect(toContent(data, 'x')).toEqual({ type: 'text', text })
  })

  it.each([
    ['a program', bytes(0x7f, 'ELF', 2, 0, 0xff, 0)],
    ['a sound', riff('WAVE').fill(0xff, 4, 8)],
  ])('of %s are rejected', async (_, data) => {
    expect(await thrown(() => toContent(data, 'a.out'))).toMatchObject({
      code: 'input',
      message: 'a.out is binary, but not an image (PNG, JPEG, GIF, WebP) or a PDF',
    })
  })

  it('of an image are limited to 4.5 MB', async () => {
    const limit = 4.5 * 1024 * 1024
    const image = png(1, 1, limit)
    expect(toContent(image.subarray(0, limit), 'x.png').type).toBe('image')
    expect(await thrown(() => toContent(image.subarray(0, limit + 1), 'x.png'))).toMatchObject({
      code: 'invalid',
      message: `x.png has ${limit + 1} bytes; an image or document may have at most ${limit}`,
    })
  })
})

describe('an attached file', () => {
  it('is framed with its path', async () => {
    const folder = await folderWith({ 'a "b".txt': 'one\ntwo' })
    expect(attachFile('a "b".txt', folder)).toEqual([
      { type: 'text', text: '<file path="a \\"b\\".txt">\none\ntwo\n</file>' },
    ])
    expect(attachFile(join(folder, 'a "b".txt'), '/')).toMatchObject([
      { text: expect.stringContaining(JSON.stringify(join(folder, 'a "b".txt'))) },
    ])
  })

  it('may be an image', async () => {
    expect(attachFile('x', await folderWith({ x: png() }))).toEqual([
      { type: 'image', mimeType: 'image/png', data: png().toString('base64') },
    ])
  })

  it.each([
    ['text', 256 * 1024, 'x'],
    ['an image', 4.5 * 1024 * 1024, png().toString('latin1')],
  ])('above the limit, as %s, is only named', async (_, limit, beginning) => {
    const content = Buffer.concat([Buffer.from(beginning, 'latin1'), Buffer.alloc(limit, 'y')])
    const folder = await folderWith({
      fits: content.subarray(0, limit),
      large: content.subarray(0, limit + 1),
    })
    expect(attachFile('large', folder)).toEqual([
      {
        type: 'text',
        text: `<file path="large" bytes="${limit + 1}">too large to attach: read it in parts</file>`,
      },
    ])
    expect(attachFile('fits', folder)).not.toMatchObject([{ text: expect.stringContaining('too large') }])
  })

  it.each<[string, Buffer, string]>([
    ['a PNG that is cut off', png().subarray(0, -4), 'the image is cut off or damaged'],
    ['a PNG of no pixels', png(0, 1), 'the image is damaged'],
    ['a JPEG that is cut off', jpeg.subarray(0, -2), 'the image is cut off or damaged'],
    ['a GIF that is cut off', gif.subarray(0, -4), 'the image is cut off or damaged'],
    ['a WebP that is cut off', webp.subarray(0, -1), 'the image is cut off or damaged'],
    ['a PDF of garbage', bytes('%PDF-1.7\n', 0, 'garbage'), 'the PDF is cut off or damaged'],
    ['a PDF that is cut off', pdf.subarray(0, -10), 'the PDF is cut off or damaged'],
  ])('is rejected if it is %s', async (_, data, why) => {
    const folder = await folderWith({ x: data })
    const message = `cannot attach x: ${why}`
    expect(await thrown(() => attachFile('x', folder))).toMatchObject({ code: 'input', message })
    expect(await thrown(() => toContent(data, 'x'))).toMatchObject({ code: 'input', message })
  })

  it('is rejected if it is missing or not a regular file', async () => {
    const folder = await folderWith()
    await mkdir(join(folder, 'sub'))
    execFileSync('mkfifo', [join(folder, 'fifo')])
    const refusal = (path: string) => thrown(() => attachFile(path, folder))
    const code = 'input'
    const missing = { code, message: 'cannot attach nope: no such file or folder' }
    expect(await refusal('nope')).toMatchObject(missing)
    expect(await refusal('x'.repeat(5000))).toMatchObject({ code, message: /: the name is too long$/ })
    const noFile = (path: string) => ({ code, message: `cannot attach ${path}: it is not a regular file` })
    expect(await refusal('sub')).toMatchObject(noFile('sub'))
    expect(await refusal('fifo')).toMatchObject(noFile('fifo'))
  })
})

describe('files that a prompt mentions', () => {
  it('are words after an at sign that name a file, without duplicates', async () => {
    const folder = await folderWith({ 'a.ts': '', 'src/b.ts': '', c: '' })
    const prompt = '@a.ts compare @src/b.ts, then @src/b.ts (see @c?) with me@a.ts, @nope and @src @'
    expect(mentionedFiles(prompt, folder)).toEqual(['a.ts', 'src/b.ts', 'c'])
  })

  it('may be quoted, or have their spaces escaped', async () => {
    const folder = await folderWith({ 'my notes.md': '', "it's": '', 'a b.txt': '', 'c.ts': '' })
    const prompt = String.raw`read @"my notes.md", @"it's" and @'a b.txt' or @a\ b.txt; "@c.ts" is quoted itself`
    expect(mentionedFiles(prompt, folder)).toEqual(['my notes.md', "it's", 'a b.txt'])
    expect(missingFiles('@"no file.md" and @"words"', folder)).toEqual(['no file.md'])
  })

  it.each([
    [String.raw`@par\(1\).png`, 'par(1).png'],
    [String.raw`see @par\(1\).png, please`, 'par(1).png'],
    [String.raw`@it\'s.md and`, "it's.md"],
    ['@"q\\"x"', 'q"x'],
    ['@notes(1) is', 'notes(1)'],
    ['@a.txtを見て', 'a.txt'],
    ['@a.txt、それと', 'a.txt'],
    ['@報告.mdを', '報告.md'],
    ['@報告を', '報告'],
    ['@a.txt\u00a0!', 'a.txt'],
    ['@"Shot 5.00 PM.png"', 'Shot 5.00\u202fPM.png'],
    [String.raw`@Shot\ 5.00\ PM.png`, 'Shot 5.00\u202fPM.png'],
    ['@Shot\\ 5.00\u202fPM.png', 'Shot 5.00\u202fPM.png'],
    ['@"Old 5.00 PM.png"', 'Old 5.00\u00a0PM.png'],
    ['@ca\u0301fe/u\u0308.txt', 'c\u00e1fe/\u00fc.txt'],
    ['@c\u00e1fe/\u00fc.txt', 'c\u00e1fe/\u00fc.txt'],
    ['@nfd\u00e9.txt', 'nfde\u0301.txt'],
    ['@"it\u2019s.md"', "it's.md"],
  ])('are found however they are written: %s', async (prompt, path) => {
    const names = ['par(1).png', "it's.md", 'q"x', 'notes(1)', 'a.txt', '報告.md', '報告', 'nfde\u0301.txt']
    const spaces = ['Shot 5.00\u202fPM.png', 'Old 5.00\u00a0PM.png', 'c\u00e1fe/\u00fc.txt', 'm', '報']
    const folder = await folderWith(Object.fromEntries([...names, ...spaces].map((name) => [name, ''])))
    expect(mentionedFiles(prompt, folder)).toEqual([path])
    expect(missingFiles(prompt, folder)).toEqual([])
  })

  it('may be below the home folder', async () => {
    const home = await folderWith({ 'a b/f.md': '' })
    const folder = await folderWith({})
    expect(mentionedFiles('@"~/a b/f.md" @~/gone.md', folder, home)).toEqual([join(home, 'a b/f.md')])
    expect(missingFiles('@"~/a b/f.md" @~/gone.md', folder, home)).toEqual(['~/gone.md'])
  })

  it('are never another one that a word only begins with', async () => {
    const folder = await folderWith({ m: '', 報: '', a: '' })
    expect(mentionedFiles('@münchen @報告 @alpha', folder)).toEqual([])
  })

  it.each(['*.md', 'src/*', 'src/**/*.ts', 'gone.txtを', 'par(1).png'])(
    'are told as missing where none is found: %s',
    async (word) => {
      const folder = await folderWith({ 'a.md': '', 'src/b.ts': '' })
      const told = word === 'gone.txtを' ? 'gone.txt' : word
      expect(missingFiles(`@${word}`, folder)).toEqual([told])
    },
  )

  it('are described with their sizes', async () => {
    const folder = await folderWith({ a: 'x'.repeat(15), b: 'x'.repeat(1_250), c: 'x'.repeat(2_500_000) })
    const described = ['a', 'b', 'c'].map((path) => describeFile(path, folder))
    expect(described).toEqual(['a · 15 bytes', 'b · 1.3 kB', 'c · 2.5 MB'])
  })

  it('count as missing only if the words look like files', async () => {
    const folder = await folderWith({ 'a.ts': '', 'src/b.ts': '' })
    const prompt =
      '@a.ts @b.ts, @src @src/b.ts and @./c? Ask @ann, me@b.ts, @types/node, @pytest.fixture and @b.ts.'
    expect(missingFiles(prompt, folder)).toEqual(['b.ts', './c'])
    const parts = '@a.ts:3 @src/b.ts#x @c.ts:1-2 @c.ts#L7, @plan.md#goals @types/node#1 @user:10'
    expect(missingFiles(parts, folder)).toEqual(['c.ts', 'plan.md'])
  })

  it.each([
    ['an at sign alone', '@'],
    ['a name longer than any file name', `@${'x'.repeat(5000)}`],
    ['a NUL character', '@a\0b'],
    ['a missing file', '@../\u{1f600}'],
  ])('do not exist in a prompt with %s', async (_, prompt) => {
    expect(mentionedFiles(prompt, await folderWith())).toEqual([])
  })
})
