/** The words that Web Test Runner puts into the page of a browser test. Node tests import theirs from vitest. */
type MochaBody = (this: { timeout(ms: number): void; skip(): never }) => void | Promise<void>
interface MochaSuite {
  (title: string, body: (this: { timeout(ms: number): void }) => void): void
  only: MochaSuite
  skip: MochaSuite
}
interface MochaTest {
  (title: string, body?: MochaBody): void
  only: MochaTest
  skip: MochaTest
}
declare const describe: MochaSuite
declare const it: MochaTest
declare const before: (body: MochaBody) => void
declare const after: (body: MochaBody) => void
declare const beforeEach: (body: MochaBody) => void
declare const afterEach: (body: MochaBody) => void
