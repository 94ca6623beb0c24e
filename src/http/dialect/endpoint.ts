/** The address of a path under a base URL, whose query stays at the end. */
export function endpoint(baseUrl: string, path: string): string {
  return baseUrl.replace(/\/*(\?.*)?$/, (_, query = '') => path + query)
}
