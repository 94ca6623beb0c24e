import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { collectGarbage } from '../../../src/git/checkpoints/collect-garbage.ts'
import { writeTextBlob } from '../../../src/git/checkpoints/loose-objects.ts'
import { never, openProject } from '../project.ts'

/** Contents whose blobs git puts into the folder by which it counts. */
function* counted(): Generator<string> {
  for (let i = 0; ; i++) {
    const content = String(i)
    const id = createHash('sha1').update(`blob ${content.length}\0${content}`).digest('hex')
    if (id.startsWith('17')) yield content
  }
}

it('starts git once about 6,700 objects are loose, and no process before', async () => {
  const started: string[] = []
  const { shadow } = await openProject({
    commands: (real) => ({
      ...real,
      run: (line, options) => {
        started.push(line.args.join(' '))
        return real.run(line, options)
      },
    }),
  })
  await shadow.within(60_000, never()).exclusively(async () => {
    started.length = 0
    await collectGarbage(shadow)
    const contents = counted()
    for (let i = 0; i < 27; i++) writeTextBlob(shadow, contents.next().value)
    await collectGarbage(shadow)
    expect(started).toEqual([])
    writeTextBlob(shadow, contents.next().value)
    await collectGarbage(shadow)
    expect(started).toEqual([expect.stringMatching(/ gc --auto --quiet$/)])
  })
})
