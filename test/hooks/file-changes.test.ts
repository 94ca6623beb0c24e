import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { FileChanges } from '../../src/hooks/file-changes.ts'
import { openRunner } from './runner.ts'

const { signal } = new AbortController()

function onFiles(...matchers: readonly string[]): { readonly FileChanged: readonly object[] } {
  const hooks = [{ type: 'command', command: 'cat >>seen' }]
  return { FileChanged: matchers.map((matcher) => ({ matcher, hooks })) }
}

/** Files by their paths, each with a text that changes when it does. */
async function open(hooks: object, files: Record<string, string>) {
  const { runner, commands, cwd } = await openRunner(hooks)
  onTestFinished(async () => {
    await runner.close()
    await commands.close()
  })
  const stamp = (path: string) => files[path.slice(cwd.length + 1)]
  const changes = new FileChanges({ hooks: runner, cwd, stamp })
  const seen = async () => {
    const lines = (await readFile(join(cwd, 'seen'), 'utf8')).trim().split('\n')
    return lines.map((line) => {
      const { file_path: path, event } = JSON.parse(line)
      return [path.slice(cwd.length + 1), event]
    })
  }
  return { changes, seen }
}

it('a file that was added, changed or deleted is told to the hooks that name it', async () => {
  const files: Record<string, string> = { '.env': '1', 'config/a.json': '1', other: '1' }
  const { changes, seen } = await open(onFiles('.env | config/a.json', 'late'), files)
  await changes.look(signal)
  Object.assign(files, { '.env': '2', late: '1', other: '2' })
  delete files['config/a.json']
  await changes.look(signal)
  await changes.look(signal)
  expect(await seen()).toEqual([
    ['.env', 'change'],
    ['config/a.json', 'unlink'],
    ['late', 'add'],
  ])
})

it('a name is no pattern', async () => {
  const files: Record<string, string> = { xenv: '1' }
  const { changes, seen } = await open(onFiles('.env'), files)
  files['xenv'] = '2'
  files['.env'] = '1'
  await changes.look(signal)
  expect(await seen()).toEqual([['.env', 'add']])
})

/** A hook that answers with these files, and notes what it hears. */
function watching(matcher: string, paths: readonly unknown[]): object {
  const answer = { hookSpecificOutput: { hookEventName: 'FileChanged', watchPaths: paths } }
  const command = `cat >>seen; cat <<'END'\n${JSON.stringify(answer)}\nEND`
  return { matcher, hooks: [{ type: 'command', command }] }
}

it('an answer names more files, in place of those that earlier answers named', async () => {
  const files: Record<string, string> = { '.env': '1', 'b/c': '1' }
  const hooks = { FileChanged: [watching('.env', ['b/c', 'b/late']), onFiles('').FileChanged[0]] }
  const { changes, seen } = await open(hooks, files)
  const change = async (more: Record<string, string>) => {
    Object.assign(files, more)
    await changes.look(signal)
  }
  await change({ 'b/c': '2' })
  await change({ '.env': '2' })
  await change({ 'b/c': '3', 'b/late': '1' })
  expect(await seen()).toEqual([
    ['.env', 'change'],
    ['.env', 'change'],
    ['b/c', 'change'],
    ['b/late', 'add'],
  ])
})

it('a file elsewhere is told to hooks whose matcher has its name', async () => {
  const files: Record<string, string> = { '.env': '1', 'b/.env': '1', 'b/other': '1' }
  const { changes, seen } = await open({ FileChanged: [watching('.env', ['b/.env', 'b/other'])] }, files)
  files['.env'] = '2'
  await changes.look(signal)
  Object.assign(files, { 'b/.env': '2', 'b/other': '2' })
  await changes.look(signal)
  expect(await seen()).toEqual([
    ['.env', 'change'],
    ['b/.env', 'change'],
  ])
})
