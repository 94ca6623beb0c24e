// Draws the golden screens as pictures, in dark and light: `screenshots/NAME-COLUMNSxROWS-dark.svg`. Renews those that the README and the manual show.
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.js'

const folder = join(root, 'screenshots')
const shown = join(root, 'docs', 'screens')
const tests = [
  'test/e2e/moments',
  ...['screens', 'moments', 'elf-screens', 'task-screens'].map((name) => `test/e2e/screen/${name}.test.ts`),
]

/** Names of the pictures in the README and the manual. */
const inReadme = ['work-80x24', 'danger-80x24', 'models-80x24', 'board-80x24']

/** Plays all moments and draws them in one palette. */
function draw(palette) {
  const child = spawn('npx', ['vitest', 'run', '--project', 'program', ...tests], {
    cwd: root,
    env: { ...process.env, PIPE_PICTURES: folder, PIPE_PALETTE: palette },
    stdio: 'inherit',
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`the tests ended with ${code}`))))
  })
}

rmSync(folder, { recursive: true, force: true })
mkdirSync(shown, { recursive: true })
for (const palette of ['dark', 'light']) {
  await draw(palette)
  for (const name of inReadme)
    copyFileSync(join(folder, `${name}-${palette}.svg`), join(shown, `${name}-${palette}.svg`))
}
