import { soaking } from '../../support/soak.ts'
import { checkAll, rules, rulesOfColour } from './axe.ts'

checkAll('dark', soaking ? rules : rulesOfColour)
