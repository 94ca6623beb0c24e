import { createConnection } from 'node:net'
import { PipeError } from '../error.ts'

/** Whether a server listens on a socket file, or left it over. Throws `usage` if it cannot be reached. */
export function lookAtSocket(path: string): Promise<'listening' | 'gone'> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve('listening')
    })
    socket.once('error', (error: Error & { readonly code?: string }) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve('gone')
      else reject(new PipeError('usage', `cannot listen on ${path}: ${error.message}`, { cause: error }))
    })
  })
}
