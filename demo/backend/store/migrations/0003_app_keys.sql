CREATE TABLE "app_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"app_id" text NOT NULL,
	"sealed_key" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "app_keys_app" ON "app_keys" USING btree ("app_id","created_at");