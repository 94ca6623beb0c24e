import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { openPrompt } from '../../support/terminals/screen.ts'

const size = { columns: 80, rows: 24 }
const wide = { columns: 200, rows: 24 }

function configure(world: World, statusLine: string): Promise<void> {
  return world.configure({
    model: 'fake/model-1',
    providers: { fake: { dialect: 'openai-chat', base_url: world.server.baseUrl } },
    tui: { status_line: statusLine },
  })
}

it('shows what the command of the user writes, which is told of the conversation', async () => {
  const world = await openWorld()
  await configure(
    world,
    'cat > "$HOME/told.json"; printf "\\033[32mgreen\\033[0m and \\033]0;title\\007plain $COLUMNS\\nsecond\\n"',
  )
  const screen = await openPrompt(world, size)
  await screen.until(/─+\ngreen and plain 80\nsecond\nask · model-1/)
  expect(screen.raw()).toContain('\u001b[32mgreen')
  world.server.reply(say('Hello.'))
  screen.type('greet me\r')
  await screen.until(/Hello\.[\s\S]*second\nask/)
  const told = async () => JSON.parse(await readFile(join(world.home, '..', 'told.json'), 'utf8'))
  await expect.poll(told).toMatchObject({
    hook_event_name: 'Status',
    session_name: 'greet me',
    cwd: world.cwd,
    workspace: { current_dir: world.cwd, project_dir: world.cwd },
    model: { id: 'fake/model-1', display_name: 'model-1' },
    context_window: { current_usage: { input_tokens: expect.any(Number) } },
  })
  const [session] = await world.sessions()
  const { session_id: id, transcript_path: path } = await told()
  expect(id).toBe(session?.id)
  await expect.poll(() => readFile(path, 'utf8')).toMatch(/"content":"greet me"[\s\S]*"text":"Hello\."/)
})

it('falls back to the usual status, and tells once why', async () => {
  const world = await openWorld()
  await configure(world, 'echo no such luck >&2; exit 3')
  const screen = await openPrompt(world, size)
  await screen.until(/tui\.status_line: exit 3: no such luck/)
  world.server.reply(say('Hello.'))
  screen.type('greet me\r')
  await screen.until(/Hello\.\n\n─+\n›[^\n]*\n─+\nask · model-1/)
  expect(screen.history().match(/no such luck/g)).toHaveLength(1)
})

it('runs the command of a project only as it was approved', async () => {
  const world = await openWorld()
  const write = (line: string) =>
    world.put('.pipe/config.json', JSON.stringify({ tui: { status_line: line } }))
  await write('echo from the project; touch ran')
  const trusted = await openPrompt(world, wide, 'exec pipe --trust')
  await trusted.until(/its status line is not approved: run pipe trust/)
  trusted.type('/quit\r')
  await trusted.ended
  const approval = await world.pipe(['trust'])
  expect(approval.stdout).toContain('program: status line: echo from the project; touch ran (')
  const approved = await openPrompt(world, size)
  await approved.until(/\nfrom the project\nask/)
  approved.type('/quit\r')
  await approved.ended
  await write('echo something else')
  const changed = await openPrompt(world, wide)
  await changed.until(/Allow what this folder asks for|not approved/)
  expect(changed.history()).not.toMatch(/\nsomething else\n/)
})
