/** What TypeScript is to take an imported text for. */
declare module '*.md' {
  const text: string
  export default text
}
