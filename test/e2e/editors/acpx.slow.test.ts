import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it, onTestFinished, type TestContext } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { type Installed, installPackages } from '../../support/programs/installed.ts'
import { untilNoneRuns, untilRuns } from '../../support/programs/processes.ts'
import { openWorld, programWords } from '../../support/programs/world.ts'

/** A client of the protocol for terminals, which needs a newer Node than pipe does. */
const packages = [`node-${process.platform}-${process.arch}@24`, 'acpx@0.19']

let installed: Installed | undefined
beforeAll(async () => {
  installed = await installPackages(packages)
})

/** Opens a world, and the client in it, whose first session begins. */
async function open({ skip }: TestContext) {
  const packages = installed
  if (packages === undefined) return skip('the packages cannot be installed here')
  const world = await openWorld()
  const node = packages.at(`node-${process.platform}-${process.arch}/bin/node`)
  const home = join(world.temp, 'acpx')
  await mkdir(home)
  const env = { ...world.env, HOME: home, PATH: `${dirname(node)}:${world.env['PATH']}` }
  const agent = [...programWords, 'acp'].join(' ')
  const acpx = async (...words: readonly string[]) => {
    const args = [packages.at('acpx/dist/cli.js'), '--agent', agent, ...words]
    const { stdout } = await promisify(execFile)(node, args, { cwd: world.cwd, env })
    return stdout
  }
  await acpx('sessions', 'new')
  onTestFinished(async () => {
    await acpx('sessions', 'close')
  })
  return { ...world, acpx }
}

it('acpx talks, asks about an edit, and sees its diff', async (context) => {
  const { acpx, server, put, cwd } = await open(context)
  await put('a.txt', 'hello\n')
  const edit = use(['edit', { path: 'a.txt', old_text: 'hello', new_text: 'bye' }])
  server.reply(use(['read', { path: 'a.txt' }]), edit, say('It says bye.'))
  const shown = await acpx('--approve-all', 'prompt', 'change it')
  expect(shown).toMatch(/request_permission[\s\S]*diff [\s\S]*It says bye\.[\s\S]*end_turn/)
  expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('bye\n')
  server.reply(use(['edit', { path: 'a.txt', old_text: 'bye', new_text: 'no' }]), say('As you like.'))
  expect(await acpx('--deny-all', 'prompt', 'again')).toContain('As you like.')
  expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('bye\n')
})

it('acpx goes on with its session, lists it, and sets mode and model', async (context) => {
  const { acpx, server } = await open(context)
  server.reply(say('One.'), say('Two.'))
  expect(await acpx('--format', 'quiet', 'prompt', 'first')).toContain('One.')
  expect(await acpx('--format', 'quiet', 'prompt', 'second')).toContain('Two.')
  expect(server.requests[1]?.body.messages.length).toBeGreaterThan(3)
  expect(await acpx('sessions', 'list')).toContain('first')
  expect(await acpx('set-mode', 'plan')).toContain('plan')
  expect(await acpx('set', 'model', 'fake/model-1')).toContain('fake/model-1')
})

it('acpx cancels a command', async (context) => {
  const { acpx, server } = await open(context)
  server.reply(use(['bash', { command: 'sleep 4243.7' }]))
  const prompt = acpx('--approve-all', 'prompt', 'wait')
  await untilRuns('4243.7')
  await acpx('cancel')
  expect(await prompt).toContain('cancelled')
  await untilNoneRuns('4243.7')
})
