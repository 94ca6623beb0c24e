import { look } from '../../files/look.ts'
import type { Checkpoints } from '../../history/checkpoint.ts'
import type { ArtifactStore } from '../../machine/artifact.ts'
import type { ToolExecutor } from '../../tool.ts'

/**
 * Saves the files before each call that may change some. Wraps the executor inside the guard: a refused call changes nothing, and the
 * guard knows which commands only read.
 */
export function checkpointed(executor: ToolExecutor, checkpoints: Checkpoints): ToolExecutor {
  return {
    tools: () => executor.tools(),
    async *execute(name, args, context) {
      const tool = executor.tools().find((one) => one.name === name)
      if (tool?.readOnly(args) === false && context.changesNothing !== true) {
        const keepsFiles = tool.keepsFiles === true
        const saved = await checkpoints.save({ signal: context.signal, keepsFiles })
        if (saved !== undefined) yield { type: 'checkpoint', ...saved }
      }
      return yield* executor.execute(name, args, context)
    },
  }
}

/** Keeps what each file was before it is written. */
export function keepingFiles(
  artifacts: ArtifactStore,
  checkpoints: Pick<Checkpoints, 'keep'>,
): ArtifactStore {
  // Each by name: a new way to write must not pass by unseen.
  return {
    readFile: (path, options) => artifacts.readFile(path, options),
    readFileRange: (path, range, options) => artifacts.readFileRange(path, range, options),
    realPath: (path, options) => artifacts.realPath(path, options),
    getRevision: (path, options) => artifacts.getRevision(path, options),
    listDir: (path, options) => artifacts.listDir(path, options),
    async writeFile(path, content, options) {
      await checkpoints.keep(path, options)
      return artifacts.writeFile(path, content, options)
    },
    async move(from, to, options) {
      // A folder is saved with the project, or named as not saved.
      if (look(from)?.isFile() === true) {
        await checkpoints.keep(from, options)
        await checkpoints.keep(to, options)
      }
      return artifacts.move(from, to, options)
    },
  }
}
