/** The words that Web Test Runner puts into the page of a browser test. Node tests import theirs from vitest. */
type Body = (this: { timeout(ms: number): void; skip(): never }) => void | Promise<void>
interface Suite {
  (title: string, body: (this: { timeout(ms: number): void }) => void): void
  only: Suite
  skip: Suite
}
interface Test {
  (title: string, body?: Body): void
  only: Test
  skip: Test
}
declare const describe: Suite
declare const it: Test
declare const before: (body: Body) => void
declare const after: (body: Body) => void
declare const beforeEach: (body: Body) => void
declare const afterEach: (body: Body) => void
