CREATE TABLE "user_counts" (
	"app_id" text NOT NULL,
	"shard" integer NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "user_counts_app_id_shard_pk" PRIMARY KEY("app_id","shard")
);
--> statement-breakpoint
CREATE INDEX "recovery_secrets_user" ON "recovery_secrets" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "wallets_user" ON "wallets" USING btree ("user_id");--> statement-breakpoint
CREATE FUNCTION "count_users"("app" text, "change" bigint) RETURNS void LANGUAGE sql AS $$
  -- The sign-ups of one connection come one after the other, those of several seldom meet in a row.
  INSERT INTO "user_counts" AS "known" ("app_id", "shard", "count")
  VALUES ("app", abs(pg_backend_pid()) % 16, "change")
  ON CONFLICT ("app_id", "shard") DO UPDATE SET "count" = "known"."count" + excluded."count"
$$;
--> statement-breakpoint
CREATE FUNCTION "count_added_users"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "count_users"("app_id", "total")
  FROM (SELECT "app_id", count(*) AS "total" FROM "added" WHERE "removed_at" IS NULL GROUP BY "app_id" ORDER BY "app_id") AS "apps";
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "count_deleted_users"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "count_users"("app_id", - "total")
  FROM (SELECT "app_id", count(*) AS "total" FROM "deleted" WHERE "removed_at" IS NULL GROUP BY "app_id" ORDER BY "app_id") AS "apps";
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "count_removed_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "count_users"(NEW."app_id", CASE WHEN NEW."removed_at" IS NULL THEN 1 ELSE -1 END);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "users_added" AFTER INSERT ON "users" REFERENCING NEW TABLE AS "added"
FOR EACH STATEMENT EXECUTE FUNCTION "count_added_users"();
--> statement-breakpoint
CREATE TRIGGER "users_deleted" AFTER DELETE ON "users" REFERENCING OLD TABLE AS "deleted"
FOR EACH STATEMENT EXECUTE FUNCTION "count_deleted_users"();
--> statement-breakpoint
CREATE TRIGGER "users_removed_or_restored" AFTER UPDATE OF "removed_at" ON "users" FOR EACH ROW
WHEN ((OLD."removed_at" IS NULL) IS DISTINCT FROM (NEW."removed_at" IS NULL)) EXECUTE FUNCTION "count_removed_user"();
--> statement-breakpoint
INSERT INTO "user_counts" ("app_id", "shard", "count")
SELECT "app_id", 0, count(*) FROM "users" WHERE "removed_at" IS NULL GROUP BY "app_id";
