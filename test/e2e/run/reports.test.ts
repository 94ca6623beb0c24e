import { expect, it } from 'vitest'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { play } from '../../support/terminals/screen.ts'

it('/skills and /agents show what there is, and what cannot be used', async () => {
  const world = await openWorld()
  await world.put('.git/HEAD', '')
  await world.put('.claude/skills/tidy/SKILL.md', '---\nname: tidy\ndescription: Tidies up\n---\nTidy.')
  await world.put(
    '.claude/agents/broken.md',
    '---\nname: broken\ndescription: x\npermissionMode: never\n---\n',
  )
  expectRun(await world.pipe(['trust']), { stdout: `trusted: ${world.cwd}\n` })
  const screen = await play(world, { columns: 120, rows: 40 }, [{ blocks: [] }])
  screen.type('/skills\r')
  await screen.until(/NAME +FROM +CALLED BY[\s\S]*tidy +project +model, you +Tidies up/)
  screen.type('/agents\r')
  await screen.until(/explore +builtin[\s\S]*broken\.md:4: /)
  expect(screen.history()).not.toContain('this is a bug')
})

it('reports print nothing beside the screen, and say what waits for trust', async () => {
  const world = await openWorld()
  await world.put('.git/HEAD', '')
  await world.put('.claude/settings.json', '{"hooks": ')
  await world.put('.claude/skills/tidy/SKILL.md', '---\nname: tidy\ndescription: Tidies up\n---\nTidy.')
  const screen = await play(world, { columns: 120, rows: 40 }, [{ blocks: [] }])
  screen.type('/skills\r')
  await screen.until(/the skills of this project take effect once you trust it: run pipe trust/)
  screen.type('/hooks\r')
  await screen.until(/run pipe trust[\s\S]*settings\.json:1:\d+: not valid JSON/)
  expect(screen.history().match(/^pipe: /gm)).toHaveLength(1)
})
