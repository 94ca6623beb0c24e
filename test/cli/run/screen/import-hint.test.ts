import { join } from 'node:path'
import { expect, it } from 'vitest'
import { importHint } from '../../../../src/cli/run/screen/import-hint.ts'
import { folderWith } from '../../../support/folders/folder.ts'

async function hint(files: Readonly<Record<string, string>>) {
  const home = await folderWith({ 'pipe/x': '', ...files })
  return importHint({ cwd: home, home, env: { PIPE_HOME: join(home, 'pipe') } })
}

const servers = '{ "mcpServers": { "files": { "command": "npx" } } }'

it('tells of other agents’ settings before the first prompt, and only if there is something to take', async () => {
  const said = ['other agents have settings here: pipe import-config shows what can be copied']
  expect(await hint({ '.claude.json': servers })).toEqual(said)
  expect(await hint({ '.claude.json': servers, 'pipe/history/a.jsonl': '' })).toEqual([])
  expect(await hint({ '.claude.json': '{ "numStartups": 3 }' })).toEqual([])
  expect(await hint({ '.claude.json': '{ "broken' })).toEqual([])
  expect(await hint({})).toEqual([])
})
