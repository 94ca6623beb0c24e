import { existsSync } from 'node:fs'
import { chmod, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { told } from '../../support/programs/told.ts'
import { hook, openHooked } from './hooks-setup.ts'

describe('the CLAUDE_ENV_FILE of a SessionStart hook', () => {
  it('sets variables of later commands, and of no hook', async () => {
    const exporting = `printf '%s\\n' 'export STAGE="a b"' 'PATH="$PATH:/opt/tools"' >>"$CLAUDE_ENV_FILE"`
    const world = await openHooked({
      SessionStart: hook(exporting),
      PostToolUse: hook('echo "$STAGE-$CLAUDE_ENV_FILE" >seen'),
    })
    const { PATH: path } = world.env
    expect(await told(world, 'echo "$STAGE"; echo "$PATH"', '--yolo')).toBe(`tool: a b\n${path}:/opt/tools`)
    expect(await readFile(join(world.cwd, 'seen'), 'utf8')).toBe('-\n')
    expect(await told(world, 'echo "$STAGE"', '--yolo', '-c')).toBe('tool: a b')
  })

  it('is private, and gone afterwards', async () => {
    const world = await openHooked({
      SessionStart: hook(
        'ls -ld "$(dirname "$CLAUDE_ENV_FILE")" >listed; ls -l "$CLAUDE_ENV_FILE" >>listed; echo "$CLAUDE_ENV_FILE" >place',
      ),
    })
    await told(world, 'true', '--yolo')
    expect(await readFile(join(world.cwd, 'listed'), 'utf8')).toMatch(/^drwx------ .*\n-rw------- /)
    const place = (await readFile(join(world.cwd, 'place'), 'utf8')).trim()
    expect([existsSync(place), existsSync(dirname(place))]).toEqual([false, false])
  })

  it('sets nothing that would let commands do more than the judge thinks, and says so', async () => {
    const script =
      'LD_PRELOAD=./x.so\nBASH_ENV=./x\nHOME=/tmp\nAPI_KEY=k\nGIT_CONFIG_GLOBAL=./x\nB=$(id)\nC=1'
    const world = await openHooked({ SessionStart: hook(`cat >"$CLAUDE_ENV_FILE" <<'END'\n${script}\nEND`) })
    world.server.reply(use(['bash', { command: 'env' }]), say('Done.'))
    const run = await world.pipe(['-v', '--yolo', 'go'])
    const [, request] = world.server.requests
    const environment = request === undefined ? '' : lastText(request.body)
    expect(environment).toMatch(/^C=1$/m)
    expect(environment).not.toMatch(/^(LD_PRELOAD|BASH_ENV|API_KEY|GIT_CONFIG_GLOBAL|B|HOME=\/tmp$)/m)
    expect(run.stderr).toContain(
      'cannot set LD_PRELOAD, BASH_ENV, HOME, API_KEY, GIT_CONFIG_GLOBAL for commands',
    )
    expect(run.stderr).toContain('lines of its variables that set none: 6')
  })

  it('makes programs of the project that it adds to the PATH ask like others', async () => {
    const world = await openHooked({
      SessionStart: hook(`echo 'PATH=$PWD/bin:$PATH' | sed "s:.PWD:$PWD:" >"$CLAUDE_ENV_FILE"`),
    })
    await world.put('bin/ls', '#!/bin/sh\ntouch made\n')
    await chmod(join(world.cwd, 'bin/ls'), 0o755)
    expect(await told(world, 'ls')).toContain('nobody can be asked')
    expect(existsSync(join(world.cwd, 'made'))).toBe(false)
  })

  it('leaves the folders of the system in a PATH that it empties', async () => {
    const world = await openHooked({ SessionStart: hook(`echo 'PATH=$UNSET' >"$CLAUDE_ENV_FILE"`) })
    expect(await told(world, 'echo "$PATH"', '--yolo')).toContain('/usr/bin:/bin')
  })
})
