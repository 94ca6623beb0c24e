import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openImage } from '../../../../src/cli/run/message/image-file.ts'
import { objectionTo } from '../../../../src/cli/run/message/objection.ts'
import { folderWith } from '../../../support/folders/folder.ts'
import { png } from '../../../support/messages/media.ts'
import { thrown } from '../../../support/thrown.ts'

const everywhere = { mayRead: () => true, blindModel: () => undefined }

describe('an image to attach', () => {
  it('is named as people would from the folder, with its size', async () => {
    const cwd = await folderWith({ 'shots/a b.png': png(10, 10), 'c.png': png(2_000, 1) })
    const open = (path: string) => openImage(path, { cwd, home: cwd, ...everywhere })
    expect(open(join(cwd, 'shots/a b.png'))).toEqual({ path: 'shots/a b.png', size: png().length })
    expect(open('~/c.png')).toEqual({ path: 'c.png', size: png().length })
    expect(openImage(join(cwd, 'c.png'), { cwd: '/elsewhere', home: '/', ...everywhere })).toEqual({
      path: join(cwd, 'c.png'),
      size: png().length,
    })
  })

  it('is known by its bytes', async () => {
    const cwd = await folderWith({ 'a.png': 'text', 'b.txt': png(1, 1), 'c.pdf': '%PDF-1.7' })
    const found = ['a.png', 'b.txt', 'c.pdf', 'gone.png', '.'].map((path) =>
      openImage(path, { cwd, home: '/', ...everywhere }),
    )
    expect(found.map((image) => image?.path)).toEqual([undefined, 'b.txt', undefined, undefined, undefined])
  })

  it('is refused with the reason if models do not take it', async () => {
    const cwd = await folderWith({
      'wide.png': png(4_000, 10),
      'large.png': png(10, 10, 4.5 * 1024 * 1024),
      'cut.png': png().subarray(0, -4),
      'empty.png': png(0, 0),
      'fine.png': png(1, 1),
    })
    const refusal = async (path: string, rules = {}) =>
      (await thrown(() => openImage(path, { cwd, home: '/', ...everywhere, ...rules }))) as Error
    const reason = async (...given: Parameters<typeof refusal>) => (await refusal(...given)).message
    expect(await reason('wide.png')).toBe(
      'wide.png is not attached: it has 4000x10 pixels, and models take at most 2000x2000',
    )
    expect(await reason('large.png')).toBe('large.png is not attached: it has more than 4.5 MB')
    expect(await reason('cut.png')).toBe('cut.png is not attached: the image is cut off or damaged')
    expect(await reason('empty.png')).toBe('empty.png is not attached: the image is damaged')
    expect(await reason('fine.png', { blindModel: () => 'acme/blind' })).toBe(
      'fine.png is not attached: acme/blind takes no images',
    )
    expect(await refusal('fine.png', { mayRead: () => false })).toMatchObject({ code: 'permission' })
  })
})

describe('an objection to a text', () => {
  it('names the files that are missing, and the images that the model does not take', async () => {
    const cwd = await folderWith({ 'a.ts': '', 'c.png': png(1, 1) })
    const object = (text: string, blind?: string) =>
      objectionTo(text, { cwd, home: '/', blindModel: () => blind })
    expect(object('see @a.ts and @c.png, ask @ann about @types/node')).toBeUndefined()
    expect(object('see @b.ts')).toBe('there is no file b.ts; Enter sends it as it is')
    expect(object('see @b.ts and @d.ts:3')).toBe('there are no files b.ts, d.ts; Enter sends it as it is')
    expect(object('see @a.ts', 'acme/blind')).toBeUndefined()
    expect(object('see @c.png', 'acme/blind')).toBe(
      'acme/blind takes no images, so c.png would be left out; Enter sends it as it is',
    )
  })
})
