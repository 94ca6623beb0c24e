import { hasCode, throwIfAborted } from '../../error.ts'
import type { ArtifactStore } from '../../machine/artifact.ts'
import { crypto } from '../lazy-crypto.ts'
import { promises } from '../lazy-fs.ts'
import { openFolder } from '../open-folder.ts'
import { readChunks } from '../reading/chunks.ts'
import { LineCollector } from '../reading/text-lines.ts'
import { realPath } from '../real-path.ts'
import { fileError } from '../system-error.ts'
import type { Attributes } from '../walk/attributes.ts'

/** The files of this machine. With `attributes`, writes files that have some in place, so that they keep them. */
export function createDiskStore(attributes?: Attributes): ArtifactStore {
  return {
    async readFile(path, { maxBytes = Number.POSITIVE_INFINITY, ...options }) {
      const chunks: Uint8Array[] = []
      let size = 0
      for await (const chunk of readChunks(path, options)) {
        const kept = Buffer.from(chunk.subarray(0, maxBytes - size))
        chunks.push(kept)
        size += kept.length
        if (size >= maxBytes) break
      }
      return Buffer.concat(chunks)
    },

    async readFileRange(path, range, options) {
      const collector = new LineCollector(range)
      for await (const chunk of readChunks(path, options)) {
        if (!collector.push(chunk)) break
      }
      return collector.finish()
    },

    async realPath(path, { signal }) {
      throwIfAborted(signal)
      try {
        return await realPath(path)
      } catch (error) {
        throw fileError(error, path, 'find')
      }
    },

    async getRevision(path, { signal }) {
      const hash = crypto().createHash('sha256')
      try {
        for await (const chunk of readChunks(path, { signal })) hash.update(chunk)
      } catch (error) {
        if (hasCode(error, 'not_found')) return undefined
        throw error
      }
      return hash.digest('hex')
    },

    async listDir(path, { signal, followLinks = true }) {
      throwIfAborted(signal)
      try {
        return followLinks ? await namesIn(path) : await namesInReal(path)
      } catch (error) {
        throw fileError(error, path, 'list')
      }
    },

    async writeFile(path, content, { signal }) {
      throwIfAborted(signal)
      const { writeAtomically } = await import('./atomic.ts')
      const inPlace = (await attributes?.mayHave(path, signal)) ?? false
      await writeAtomically(path, content, { followLinks: false, inPlace })
      if (!inPlace) attributes?.hasNone(path)
    },

    async move(from, to, { signal }) {
      throwIfAborted(signal)
      const { movePath } = await import('./move-path.ts')
      await movePath(from, to)
    },
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await promises().readdir(folder, { withFileTypes: true })
  return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort()
}

async function namesInReal(path: string): Promise<string[]> {
  const folder = openFolder(path, 'list')
  try {
    return await namesIn(folder.at('.'))
  } finally {
    folder.close()
  }
}
