import { onTestFinished } from 'vitest'
import type { TaskDatabase } from '../../src/postgres/task-database.ts'
import { type Choices, openStores } from './open.ts'

/** Opens the stores of a database for one test, which closes them. */
export function openHere(url: string, choices: Choices = {}): TaskDatabase {
  const stores = openStores(url, choices)
  onTestFinished(() => stores.close())
  return stores
}
