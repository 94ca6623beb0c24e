/** Says how to bundle a source file as a module that runs by itself. */
export const sourceModule = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  loader: { '.md': 'text' },
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
}
