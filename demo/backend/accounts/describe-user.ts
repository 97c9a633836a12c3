import type { SessionServices } from '../sessions/services.ts'
import type { Database } from '../store/database.ts'
import { identityOf } from './account-views.ts'
import { loadUser } from './user.ts'
import { userView } from './user-view.ts'

/** What the rooms below know of a user. */
export const createDescribeUser =
  (database: Database): SessionServices['describeUser'] =>
  async (appId, userId) => {
    const user = await loadUser(database, appId, userId)
    if (!user) return undefined
    return { view: userView(user), identity: identityOf(user) }
  }
