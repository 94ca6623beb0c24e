import { join } from 'node:path'
import { makePrivateFolder } from '../../src/files/private-folder.ts'

// Makes deep folders in turn, as other processes do at the same time. Prints the message of what fails.
const [, , folder = '', rounds = '0'] = process.argv
for (let round = 0; round < Number(rounds); round++) {
  try {
    makePrivateFolder(join(folder, String(round), 'a', 'b', 'c', 'd'))
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error))
  }
}
