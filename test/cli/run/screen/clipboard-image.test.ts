import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ClipboardImages } from '../../../../src/cli/run/screen/clipboard-image.ts'
import { systemClock } from '../../../../src/cli/system-clock.ts'
import { failureOf } from '../../../../src/error.ts'
import { png } from '../../../support/messages/media.ts'

interface Setup {
  /** Scripts of sh by their name on the PATH. `$IMAGE` is a PNG. */
  readonly programs: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  readonly platform?: string
  /** Whether the folder of the programs is the project. */
  readonly isProject?: boolean
}

async function open({ programs, env, platform = 'linux', isProject = false }: Setup) {
  const folder = await mkdtemp(join(tmpdir(), 'pipe-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'image.png'), png())
  for (const [name, script] of Object.entries(programs)) {
    const path = join(bin, name)
    await writeFile(path, `#!/bin/sh\nIMAGE=${join(bin, 'image.png')}\nLOG=${join(bin, 'log')}\n${script}\n`)
    await chmod(path, 0o755)
  }
  const images = new ClipboardImages({
    env: { ...env, PATH: bin, KEY: 'secret' },
    platform,
    cwd: isProject ? bin : join(folder, 'project'),
    clock: systemClock,
  })
  onTestFinished(() => images.close())
  return {
    images,
    take: () => images.take(new AbortController().signal),
    log: () => readFile(join(bin, 'log'), 'utf8'),
  }
}

const wayland = { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' }
const x11 = { DISPLAY: ':0' }
const prints = 'echo "$* $KEY" >> $LOG; /bin/cat $IMAGE'

it.each([
  ['wl-paste', wayland, 'linux', '--no-newline --type image/png \n'],
  ['xclip', wayland, 'linux', '-selection clipboard -t image/png -o \n'],
  ['xclip', x11, 'linux', '-selection clipboard -t image/png -o \n'],
  ['pngpaste', {}, 'darwin', '- \n'],
] as const)(
  'takes the image that %s prints, byte for byte, into a file, until it is closed',
  async (name, env, platform, asked) => {
    const { images, take, log } = await open({ programs: { [name]: prints }, env, platform })
    const paths = [await take(), await take()]
    expect(new Set(paths).size).toBe(2)
    for (const path of paths) expect(await readFile(path)).toEqual(png())
    expect(await log()).toBe(asked.repeat(2))
    await images.close()
    expect(paths.filter((path) => existsSync(path))).toEqual([])
  },
)

it.each([
  ['fails', 'exit 1'],
  ['prints a text', 'echo hello'],
  ['prints nothing', ''],
])('finds no image where the program %s', async (_, script) => {
  const { take } = await open({ programs: { xclip: script }, env: x11 })
  expect(await failureOf(take())).toMatchObject({ code: 'input', message: 'no image on the clipboard' })
})

it('says which program is missing, and takes none of the project', async () => {
  const missing = {
    code: 'input',
    message: 'pipe reads images from the clipboard with wl-paste: install wl-clipboard',
  }
  const { take } = await open({
    programs: { 'wl-paste': prints },
    env: { WAYLAND_DISPLAY: 'w' },
    isProject: true,
  })
  expect(await failureOf(take())).toMatchObject(missing)
  const none = await open({ programs: {}, env: {} })
  expect(await failureOf(none.take())).toMatchObject({
    code: 'input',
    message: 'no clipboard with images is within reach here; drop an image, or paste its path',
  })
})

it('ends a program that waits forever', async () => {
  const { take } = await open({ programs: { xclip: 'exec /bin/sleep 1000' }, env: x11 })
  expect(await failureOf(take())).toMatchObject({ code: 'tool', message: 'xclip did not end within 3000 ms' })
})

it('keeps the bytes that another source gives, if they are an image', async () => {
  const { images } = await open({ programs: {}, env: {} })
  const path = await images.keep(png())
  expect(path).toMatch(/clipboard-1\.png$/)
  expect(await readFile(path ?? '')).toEqual(png())
  expect(await images.keep(new TextEncoder().encode('text'))).toBeUndefined()
})
