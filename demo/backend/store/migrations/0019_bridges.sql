CREATE TABLE "bridges" (
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"request_id" text NOT NULL,
	"record" jsonb NOT NULL,
	"status" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "bridges_user_id_app_id_request_id_pk" PRIMARY KEY("user_id","app_id","request_id")
);
--> statement-breakpoint
ALTER TABLE "bridges" ADD CONSTRAINT "bridges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bridges_created" ON "bridges" USING btree ("created_at");