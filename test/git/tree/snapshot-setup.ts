import { expect } from 'vitest'
import { never, openProject } from '../project.ts'

export const signal = never()
export const id = expect.stringMatching(/^[0-9a-f]{40}$/)

/** A repository with something in every corner. */
export async function repository() {
  const project = await openProject({
    files: { 'a.txt': 'one\n', 'b.txt': 'b\n', '.gitignore': '*.log\nbuild/\n' },
  })
  project.run(`git init -q -b main . && git add . && git commit -qm first
    echo stashed >> a.txt && git stash -q
    echo staged >> b.txt && git add b.txt && echo more >> b.txt
    echo local-only > private.txt && echo private.txt >> .git/info/exclude
    echo log > my.log; mkdir build; echo built > build/out`)
  return project
}
