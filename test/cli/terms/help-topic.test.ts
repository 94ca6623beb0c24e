import { describe, expect, it } from 'vitest'
import { commands } from '../../../src/cli/commands/command-table.ts'
import { explain } from '../../../src/cli/terms/explain.ts'
import { helpTopic } from '../../../src/cli/terms/help-topic.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { thrown } from '../../support/thrown.ts'

describe('a topic of the help', () => {
  it.each(['licences', 'licenses'])('%s is the text that the build wrote', async (topic) => {
    const path = await folderWith({ 'dist/licences.txt': 'react 19 (MIT)\n' })
    expect(await helpTopic([topic], commands, () => path)).toBe('react 19 (MIT)\n')
  })

  it('names the file that a broken build lacks', async () => {
    const path = await folderWith()
    expect(await thrown(() => helpTopic(['licences'], commands, () => path))).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining(`cannot read ${path}/dist/licences.txt: `),
    })
  })

  it('is explained, whatever else it is', async () => {
    expect(await helpTopic(['elf'], commands, () => '/')).toBe(explain(['elf'], commands))
  })
})
