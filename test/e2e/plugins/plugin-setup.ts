import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { folderWith } from '../../support/folders/folder.ts'
import { expectRun } from '../../support/programs/program.ts'
import type { World } from '../../support/programs/world.ts'

const server = fileURLToPath(new URL('../../support/mcp/real-server.js', import.meta.url))

/** The variable for the folder of a plugin. */
export const rootVariable = `\${CLAUDE_PLUGIN_ROOT}`

/** The file of a skill. */
export function skillFile(name: string, body: string): string {
  return `---\nname: ${name}\ndescription: does ${name}\n---\n${body}\n`
}

/** A plugin with a part of each kind. */
export const demo: Readonly<Record<string, string>> = {
  '.claude-plugin/plugin.json': JSON.stringify({ name: 'demo', version: '1.0.0', lspServers: './.lsp.json' }),
  'skills/greet/SKILL.md': skillFile('greet', `Run ${rootVariable}/greet.sh $ARGUMENTS`),
  'commands/git/commit.md': '---\ndescription: Commits.\n---\nCommit $ARGUMENTS',
  'agents/helper.md': '---\nname: helper\ndescription: Helps.\ntools: Read\n---\nYou help.',
  'hooks/hooks.json': JSON.stringify({
    hooks: {
      SessionStart: [{ hooks: [{ type: 'command', command: 'echo "hooked $CLAUDE_PLUGIN_ROOT"' }] }],
    },
  }),
  '.mcp.json': JSON.stringify({ real: { command: process.execPath, args: [server] } }),
}

/** Writes a plugin and adds it. Returns the folder that it was taken from. */
export async function addDemo(world: World, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await folderWith({ ...demo, ...more })
  const run = await world.pipe(['plugin', 'add', folder, '--yes'])
  expectRun(run, { stdout: 'added: demo\n', stderr: expect.any(String) })
  return folder
}

/** The file of the record, in which nothing stands before a plugin was added. */
export function recordOf(world: World): string {
  return join(world.home, 'plugins', 'plugins.json')
}
