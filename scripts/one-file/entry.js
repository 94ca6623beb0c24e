import { startOneFile } from '../../src/cli/launch/one-file.ts'

await startOneFile(import.meta.dirname)
