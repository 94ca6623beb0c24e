import { join } from 'node:path'
import { typeKeys } from './warm-keys.js'

// Runs `warm.js` with these arguments on a terminal, so that the cache holds what the first keys need: compiling it then would delay them.

const args = [join(import.meta.dirname, 'warm.js'), ...process.argv.slice(2)]
process.exitCode = await typeKeys(process.execPath, args)
